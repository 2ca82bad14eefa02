/**
 * The interface between a {@link dev.sluice.reactor.Reactor} or {@link dev.sluice.proactor.Proactor} and the event loop
 * that is their common base. Not exported to programs.
 */
package dev.sluice.eventloop.spi;
