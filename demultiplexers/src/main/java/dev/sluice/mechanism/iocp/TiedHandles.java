package dev.sluice.mechanism.iocp;

import dev.sluice.handle.CloseListener;
import dev.sluice.handle.Handle;
import dev.sluice.handle.HandleClosedException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The handles that are still tied to a port although their associations have ended. Any thread may use it. */
final class TiedHandles implements CloseListener {

    private final Set<Handle> handles = ConcurrentHashMap.newKeySet();

    void add(Handle handle) {
        if (handle.isOpen() && handles.add(handle)) {
            try {
                handle.addCloseListener(this);
            } catch (HandleClosedException e) {
                handles.remove(handle);
            }
        }
    }

    boolean contains(Handle handle) {
        return handles.contains(handle);
    }

    @Override
    public void handleClosing(Handle closing) {
        handles.remove(closing);
    }

    void clear() {
        handles.forEach(handle -> handle.removeCloseListener(this));
        handles.clear();
    }
}
