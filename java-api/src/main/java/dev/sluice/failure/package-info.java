/** Failures that come between a step and the others that have to be taken all the same. For this library alone. */
package dev.sluice.failure;
