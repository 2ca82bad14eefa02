/**
 * What a {@link dev.sluice.reactor.Reactor} and a {@link dev.sluice.proactor.Proactor} and the event loop below them
 * exchange. The package is not exported: programs run these two, and make no event loops of their own.
 */
package dev.sluice.eventloop.spi;
