/**
 * The event loop that the Reactor and the Proactor share: whose thread may do what, timers, signals of the operating
 * system, tasks of other threads, and an orderly end. What is waited for and dispatched is up to them.
 */
package dev.sluice.eventloop;
