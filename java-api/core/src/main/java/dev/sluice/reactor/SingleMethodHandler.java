package dev.sluice.reactor;

import dev.sluice.demultiplexer.Interest;

/**
 * The single-method dispatch interface (Reactor paper, implementation activity 1.2), for handlers that consist of one
 * function. {@link EventHandler#of} converts it to an {@link EventHandler}.
 */
@FunctionalInterface
public interface SingleMethodHandler {

    /**
     * Handles an event of one type, or the end of the registration.
     *
     * @param registration the registration that the event is for
     * @param event        {@link Interest#READ}, {@link Interest#WRITE} or {@link Interest#EXCEPTION}; or
     *                     {@link Interest#NONE} when the registration has ended: this method must then close the handle
     * @throws Exception if it fails, as for the hooks of an {@link EventHandler}
     */
    void handleEvent(Registration registration, Interest event) throws Exception;
}
