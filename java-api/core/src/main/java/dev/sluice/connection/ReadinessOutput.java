package dev.sluice.connection;

import dev.sluice.demultiplexer.Interest;
import dev.sluice.dispatch.HandlerEntry;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.SocketStream;
import dev.sluice.hook.HookFailure;
import dev.sluice.reactor.Dispatcher;
import dev.sluice.timer.TimeoutHandler;
import dev.sluice.timer.Timer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The output of a service handler: sends at once, and waits until the handle is writable when the system takes no more.
 *
 * <p>It also runs tasks where the hooks of its connection are called. Where several threads dispatch, that is the hook
 * for output, which is called as soon as there is a task.
 */
final class ReadinessOutput extends OutputQueue implements Executor {

    private static final Logger LOG = LoggerFactory.getLogger(ReadinessOutput.class);

    /** How long the peer may take to end its output after this side has. */
    private static final Duration LINGER = Duration.ofSeconds(2);
    private static final TimeoutHandler LINGER_OVER = output -> {
        assert output != null;
        ((ReadinessOutput) output).entry().close();
    };

    private final Dispatcher dispatcher;
    private final Runnable serving = this::serve;
    private @Nullable SocketStream peer;
    /** Null until the connection is established. */
    private volatile @Nullable HandlerEntry entry;
    /** Null if there is a loop thread, which runs them. */
    private volatile @Nullable Queue<Runnable> tasks;
    /** Whether no hook runs any more that would run them. */
    private volatile boolean tasksEnded;
    private final Runnable overrunEnd = this::endOverrun;
    private @Nullable Timer linger;
    private volatile @Nullable Runnable whenInputResumes;

    ReadinessOutput(ServiceHandler handler, Dispatcher dispatcher) {
        super(handler);
        this.dispatcher = dispatcher;
    }

    /** The connection is established, and no hook but this one is called yet. */
    void begin(@Nullable SocketStream stream, HandlerEntry registered) {
        peer = stream;
        Queue<Runnable> ofHooks = registered.isShared() ? new ConcurrentLinkedQueue<>() : null;
        tasks = ofHooks;
        synchronized (this) {
            entry = registered;
            if (isInputPaused()) {
                registered.holdInput();
            }
        }
        if (ofHooks != null && !ofHooks.isEmpty()) {
            // Added by a thread that saw no entry yet.
            registered.awaitOutput(true);
        }
        established();
    }

    /** {@return the entry of the connection, which is established} */
    private HandlerEntry entry() {
        HandlerEntry registered = entry;
        assert registered != null;
        return registered;
    }

    /** {@return the stream of the connection, which is established} */
    private SocketStream peer() {
        assert peer != null;
        return peer;
    }

    // Tasks

    /** {@return what runs tasks where the hooks are called} */
    Executor loop() {
        return tasks == null ? dispatcher : this;
    }

    @Override
    public void execute(Runnable task) {
        Queue<Runnable> ofHooks = tasks;
        if (ofHooks == null || tasksEnded) {
            dispatcher.execute(task);
            return;
        }
        ofHooks.add(task);
        // Read after that: without an entry, begin() finds the task.
        HandlerEntry registered = entry;
        if (registered != null) {
            // If the registration has ended, a hook may still run: then the end runs it.
            registered.awaitOutput(true);
        }
        if (tasksEnded && ofHooks.remove(task)) {
            // No hook runs any more.
            dispatcher.execute(task);
        }
    }

    private void runTasks(Queue<Runnable> ofHooks) {
        for (Runnable task = ofHooks.poll(); task != null; task = ofHooks.poll()) {
            try {
                task.run();
            } catch (Throwable e) {
                HookFailure.log(LOG, "a task failed: " + task.getClass().getName(), e);
            }
        }
    }

    /** Sets a task for when no queue pauses the input any more; null for none. Run where the hooks are called. */
    void whenInputResumes(@Nullable Runnable task) {
        whenInputResumes = task;
    }

    // Hooks

    /** The handle is writable, or another thread has something to be sent or run. */
    void handleOutput() {
        Queue<Runnable> ofHooks = tasks;
        if (ofHooks == null) {
            writable();
            return;
        }
        // From now on another thread asks for this once more.
        entry().awaitOutput(false);
        runTasks(ofHooks);
        writable();
        if (isAwaitingSpace()) {
            entry().awaitOutput(true);
        }
    }

    /** The registration has ended, and no hook is called any more. */
    void endTasks() {
        if (linger != null) {
            linger.cancel();
        }
        tasksEnded = true;
        Queue<Runnable> ofHooks = tasks;
        if (ofHooks != null) {
            runTasks(ofHooks);
        }
    }

    /** {@return whether only the peer's end is awaited} */
    boolean isLingering() {
        return linger != null;
    }

    // What the queue needs

    @Override
    protected Object eventLoop() {
        return dispatcher;
    }

    @Override
    protected boolean isOwner() {
        HandlerEntry registered = entry;
        return registered != null && registered.isCaller();
    }

    @Override
    protected void wakeOwner() {
        HandlerEntry registered = entry;
        if (registered == null) {
            // What was sent is found when the connection is established.
            return;
        }
        Queue<Runnable> ofHooks = tasks;
        if (ofHooks == null) {
            dispatcher.execute(serving);
        } else if (registered.isOpen()) {
            // Never by another thread than the one in a hook: at the end what was sent is given back.
            ofHooks.add(serving);
            registered.awaitOutput(true);
        }
    }

    @Override
    protected void wakeAfterOverrun() {
        HandlerEntry registered = entry;
        if (registered == null || tasks == null) {
            wakeOwner();
        } else if (registered.isOpen()) {
            // The hook for output is not called as long as the peer takes nothing.
            dispatcher.execute(overrunEnd);
        }
    }

    private void endOverrun() {
        entry().end(beyondLimit());
    }

    @Override
    protected boolean sendNow(ByteBuffer bytes) throws IOException {
        peer().send(bytes);
        entry().countOutput();
        return true;
    }

    @Override
    protected long transmit(ByteBuffer[] buffers, int count) throws IOException {
        return counted(peer().send(buffers, 0, count));
    }

    @Override
    protected long transmit(FileHandle file, long position, long count) throws IOException {
        return counted(peer().sendFile(file, position, count));
    }

    private long counted(long bytes) {
        if (bytes > 0) {
            entry().countOutput();
        }
        return bytes;
    }

    @Override
    protected void awaitSpace(boolean waits) {
        // Where several threads dispatch, another one may have asked for it.
        if (waits || tasks == null) {
            entry().awaitOutput(waits);
        }
    }

    @Override
    protected void pauseInput() {
        // Before the connection is established, that is done then.
        HandlerEntry registered = entry;
        if (registered != null) {
            registered.holdInput();
        }
    }

    @Override
    protected void resumeInput() {
        if (entry == null) {
            return;
        }
        entry.releaseInput();
        Runnable task = whenInputResumes;
        if (task != null) {
            try {
                loop().execute(task);
            } catch (RejectedExecutionException e) {
                LOG.debug("{} ends with its loop", peer, e);
            }
        }
    }

    @Override
    protected void shutdownOutput() throws IOException {
        peer().shutdownOutput();
    }

    @Override
    protected void linger() {
        linger = dispatcher.schedule(LINGER_OVER, this, LINGER);
        entry().interest(Interest.READ);
        entry().resume();
    }

    @Override
    protected void end(@Nullable Throwable cause) {
        entry().end(cause);
    }
}
