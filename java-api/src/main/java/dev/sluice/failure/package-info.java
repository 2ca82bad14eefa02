/** Failures of one step, kept while the other steps must still be taken. For this library only. */
package dev.sluice.failure;
