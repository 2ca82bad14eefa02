/**
 * The moments at which a cancellation can hit another operation than the one it is meant for, as tests for jcstress.
 */
package dev.sluice.proactor;
