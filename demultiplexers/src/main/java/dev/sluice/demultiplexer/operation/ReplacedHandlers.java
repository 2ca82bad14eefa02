package dev.sluice.demultiplexer.operation;

import java.util.IdentityHashMap;
import java.util.Map;

/** Which handlers have been replaced by which, for the operations of one handle. Does not change. */
final class ReplacedHandlers {

    private final Map<Object, Object> successors;

    private ReplacedHandlers(Map<Object, Object> successors) {
        this.successors = successors;
    }

    /**
     * Replaces one more.
     *
     * @param before the replacements so far, or null
     * @param from   the replaced one, and all that it has replaced
     * @param to     the new one; it is not replaced any more if it was
     * @return the replacements from now on
     */
    static ReplacedHandlers after(ReplacedHandlers before, Object from, Object to) {
        Map<Object, Object> after = before == null ? new IdentityHashMap<>() : new IdentityHashMap<>(before.successors);
        after.remove(to);
        after.replaceAll((earlier, successor) -> successor == from ? to : successor);
        if (from != to) {
            after.put(from, to);
        }
        return new ReplacedHandlers(after);
    }

    /** {@return its successor, or itself if it has none} */
    Object of(Object handler) {
        Object successor = successors.get(handler);
        return successor == null ? handler : successor;
    }
}
