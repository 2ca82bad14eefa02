package dev.sluice.samples.server;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** The JDK's virtual threads, which it has from 21 on. */
public final class VirtualThreads {

    private static final int SINCE = 21;

    private VirtualThreads() {
    }

    /** {@return why there are none here, null if there are} */
    public static String unavailable() {
        int here = Runtime.version().feature();
        return here >= SINCE ? null : "needs Java " + SINCE + " or newer, and this is " + here;
    }

    /** {@return an executor that runs each task in a virtual thread of its own} */
    public static ExecutorService newExecutor() {
        try {
            return (ExecutorService) Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        } catch (ReflectiveOperationException e) {
            throw absent(e);
        }
    }

    private static UnsupportedOperationException absent(ReflectiveOperationException cause) {
        return new UnsupportedOperationException("a virtual thread " + unavailable(), cause);
    }
}
