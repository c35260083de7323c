// Stands in for packages that the bundle never uses.
export default {};
