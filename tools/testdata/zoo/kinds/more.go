package kinds

// Violet comes from another file.
const Violet Color = 9
