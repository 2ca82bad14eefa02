package dev.sluice.samples;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;

/**
 * A binding that records which threads make calls that may wait for the file system, besides those that are for it,
 * and that holds up one of these calls. In use until it is closed.
 */
public final class FileCalls implements AutoCloseable {

    /** The name of the threads that may make them. */
    public static final String FILE_THREAD = "files";

    private static final Set<String> FUNCTIONS = Set.of("open", "openat", "statx", "readlinkat", "renameat", "unlinkat",
            "fdatasync", "fsync", "ftruncate", "pwrite", "pwritev", "inotify_add_watch");

    /** The stages of Haboob that may make them; their threads are numbered. */
    private static final Set<String> STAGES = Set.of("CacheMiss", "Uploads", "file I/O");

    private final Binding real = Bindings.current();
    private final ConcurrentLinkedQueue<String> onLoops = new ConcurrentLinkedQueue<>();
    private final CountDownLatch released = new CountDownLatch(1);
    private volatile String held = "";

    private FileCalls() {
    }

    /** Decorates the binding in use. */
    public static FileCalls install() {
        FileCalls calls = new FileCalls();
        Bindings.use(calls.real.decorated(calls.real.name(), new Binding.Decorator() {
            @Override
            public <T> T decorate(Class<T> family, T functions) {
                return calls.decorate(family, functions);
            }
        }));
        return calls;
    }

    private <T> T decorate(Class<T> family, T functions) {
        return family.cast(Proxy.newProxyInstance(family.getClassLoader(), new Class<?>[] {family},
                (proxy, method, arguments) -> {
                    called(method.getName());
                    try {
                        return method.invoke(functions, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    private void called(String function) throws InterruptedException {
        String thread = Thread.currentThread().getName();
        if (FUNCTIONS.contains(function) && !isForFiles(thread)) {
            onLoops.add(function + " by " + thread);
        }
        if (function.equals(held)) {
            released.await();
        }
    }

    private static boolean isForFiles(String thread) {
        return thread.equals(FILE_THREAD) || STAGES.stream().anyMatch(stage -> thread.matches(stage + " \\d+"));
    }

    /** Forgets the calls so far, such as those of the start. */
    public void forget() {
        onLoops.clear();
    }

    /** {@return the calls that other threads have made} */
    public List<String> onLoops() {
        return new ArrayList<>(onLoops);
    }

    /** From now on, calls of this function wait until they are released. */
    public void hold(String function) {
        held = function;
    }

    /** Calls wait no longer. */
    public void release() {
        released.countDown();
    }

    @Override
    public void close() {
        release();
        Bindings.use(real);
    }
}
