package dev.sluice.dispatch;

/** When {@link dev.sluice.reactor.EventHandler#handleClose} is called for a registration that its own hook ends. */
public enum CloseTiming {
    /** At once, inside the hook that ends it: how a Reactor does it. */
    IN_HOOK,
    /** When the hooks of the handle have returned, also when one of them ends it: how a pool does it. */
    AFTER_HOOKS
}
