/**
 * Timers whose expiry any one of several waiting threads attends to: those of an event loop that many threads run, and
 * those of a handle set that the threads of a pool share. For this library only.
 */
package dev.sluice.timekeeping;
