package dev.sluice.samples.oltp.pool;

import dev.sluice.handle.Handle;
import dev.sluice.samples.server.Connections;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;

/** Goes on with a conversation in a virtual thread of its own, which waits in Java until the reactor wakes it. */
final class VirtualThread extends ReadinessHandler {

    /** null where the virtual machine has no virtual threads. */
    private static final ThreadFactory FACTORY = factory();

    private final ExecutorService thread;

    VirtualThread(Service service, Connections connections) {
        this(service, connections, Executors.newSingleThreadExecutor(FACTORY));
    }

    private VirtualThread(Service service, Connections connections, ExecutorService thread) {
        super(service, connections, thread);
        this.thread = thread;
    }

    static boolean isAvailable() {
        return FACTORY != null;
    }

    // Thread.ofVirtual().factory(), which Java 17 does not know.
    private static ThreadFactory factory() {
        try {
            Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
            return (ThreadFactory) Class.forName("java.lang.Thread$Builder").getMethod("factory").invoke(builder);
        } catch (ReflectiveOperationException e) {
            return null;
        }
    }

    @Override
    public void handleClose(Handle handle, int events) {
        super.handleClose(handle, events);
        thread.shutdown();
    }
}
