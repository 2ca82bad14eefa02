package dev.sluice.demultiplexer.iocp;

import dev.sluice.handle.Handle;
import dev.sluice.handle.HandleClosedException;
import dev.sluice.handle.spi.CloseListener;
import dev.sluice.handle.spi.Descriptors;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The handles that are still associated with a port although their associations with the demultiplexer have ended. May
 * be used by any thread.
 */
final class TiedHandles implements CloseListener {

    private final Set<Handle> handles = ConcurrentHashMap.newKeySet();

    void add(Handle handle) {
        if (handle.isOpen() && handles.add(handle)) {
            try {
                Descriptors.of(handle).addCloseListener(this);
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
        handles.forEach(handle -> Descriptors.of(handle).removeCloseListener(this));
        handles.clear();
    }
}
