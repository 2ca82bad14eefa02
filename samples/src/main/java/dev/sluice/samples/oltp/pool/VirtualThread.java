package dev.sluice.samples.oltp.pool;

import dev.sluice.handle.Handle;
import dev.sluice.samples.server.Connections;
import dev.sluice.samples.server.VirtualThreads;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Goes on with a conversation in a virtual thread of its own, which waits in Java until the reactor wakes it. */
final class VirtualThread extends ReadinessHandler {

    private final ExecutorService thread;

    VirtualThread(Service service, Connections connections) {
        this(service, connections, Executors.newSingleThreadExecutor(VirtualThreads.factory()));
    }

    private VirtualThread(Service service, Connections connections, ExecutorService thread) {
        super(service, connections, thread);
        this.thread = thread;
    }

    @Override
    public void handleClose(Handle handle, int events) {
        super.handleClose(handle, events);
        thread.shutdown();
    }
}
