package dev.sluice.reactor;

import dev.sluice.demultiplexer.Interest;

/**
 * The single-method dispatch interface (Reactor paper, implementation activity 1.2), for handlers that are one
 * function. {@link EventHandler#of} makes an {@link EventHandler} of it.
 */
@FunctionalInterface
public interface SingleMethodHandler {

    /**
     * An event of one type, or the end of the registration.
     *
     * @param registration the registration that the event is for
     * @param event        {@link Interest#READ}, {@link Interest#WRITE} or {@link Interest#EXCEPTION}; or {@link
     *                     Interest#NONE} when the registration has ended, and then this closes the handle
     * @throws Exception whatever goes wrong, as for the hooks of an {@link EventHandler}
     */
    void handleEvent(Registration registration, Interest event) throws Exception;
}
