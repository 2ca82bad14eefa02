package dev.sluice.dispatch;

/**
 * The time at which {@link dev.sluice.reactor.EventHandler#handleClose} is called for a registration that its own hook
 * ends.
 */
public enum CloseTiming {
    /** Immediately, inside the hook that ends it, as in a Reactor. */
    IN_HOOK,
    /** When the hooks of the handle have returned, as in a pool. */
    AFTER_HOOKS
}
