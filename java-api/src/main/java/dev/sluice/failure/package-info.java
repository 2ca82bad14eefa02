/**
 * Failures that must not keep the rest from being done: those of one step, kept while the other steps are taken, and
 * those for want of memory. For this library only.
 */
package dev.sluice.failure;
