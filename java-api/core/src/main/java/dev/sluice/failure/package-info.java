/**
 * Handling of failures during closes and waits: of steps whose failure must not prevent the other steps, and of a lack
 * of memory or stack. A close can be repeated after any failure, and does not wait for a thread that never returns. Not
 * exported to programs.
 */
package dev.sluice.failure;
