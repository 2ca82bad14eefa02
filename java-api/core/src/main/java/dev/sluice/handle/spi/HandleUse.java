package dev.sluice.handle.spi;

/** The registration of a handle for events, of which it has one at a time. */
public interface HandleUse {

    /** {@return whether it has not ended} */
    boolean isOpen();

    /** {@return the dispatcher that the handle is registered with} */
    Object dispatcher();
}
