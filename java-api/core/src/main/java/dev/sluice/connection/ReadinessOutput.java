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
 * The output of a service handler: sends immediately, and waits until the handle is writable if the system accepts no
 * more.
 *
 * <p>It is also an executor that runs tasks on the thread that calls the hooks of its connection. If several threads
 * dispatch, the hook for output runs them; it is called when there is a task.
 */
final class ReadinessOutput extends OutputQueue implements Executor {

    private static final Logger LOG = LoggerFactory.getLogger(ReadinessOutput.class);

    /** Maximum time for the peer to end its output after this side has ended its own. */
    private static final Duration LINGER = Duration.ofSeconds(2);
    private static final TimeoutHandler LINGER_OVER = output -> {
        assert output != null;
        ((ReadinessOutput) output).entry().close();
    };

    private final Dispatcher dispatcher;
    private final Runnable serving = this::serve;
    private @Nullable SocketStream peer;
    /** The entry of the registration; null until the connection is established. */
    private volatile @Nullable HandlerEntry entry;
    /** Tasks for the hook for output; null if there is a loop thread, which runs tasks itself. */
    private volatile @Nullable Queue<Runnable> tasks;
    /** Whether no further hook will run tasks. */
    private volatile boolean tasksEnded;
    private final Runnable overrunEnd = this::endOverrun;
    private @Nullable Timer linger;
    private volatile @Nullable Runnable whenInputResumes;

    ReadinessOutput(ServiceHandler handler, Dispatcher dispatcher) {
        super(handler);
        this.dispatcher = dispatcher;
    }

    /** Called when the connection is established, before any hook. */
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
            // Added by a thread that has read a null entry.
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

    /** {@return the executor that runs tasks on the thread that calls the hooks} */
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
        // Read after the task has been added: if there is no entry yet, begin() finds the task.
        HandlerEntry registered = entry;
        if (registered != null) {
            // If the registration has ended, endTasks() will run the task.
            registered.awaitOutput(true);
        }
        if (tasksEnded && ofHooks.remove(task)) {
            // No further hook will run the task.
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

    /** Sets a task that is run when the input is resumed, on the thread that calls the hooks; null for none. */
    void whenInputResumes(@Nullable Runnable task) {
        whenInputResumes = task;
    }

    // Hooks

    /** Called when the handle is writable, or another thread has sent data or added a task. */
    void handleOutput() {
        Queue<Runnable> ofHooks = tasks;
        if (ofHooks == null) {
            writable();
            return;
        }
        // Before the tasks are run, so that a thread that adds a task later makes this hook be called again.
        entry().awaitOutput(false);
        runTasks(ofHooks);
        writable();
        if (isAwaitingSpace()) {
            entry().awaitOutput(true);
        }
    }

    /** Called when the registration has ended, after the last hook. */
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

    /** {@return whether the connection only waits for the peer to close} */
    boolean isLingering() {
        return linger != null;
    }

    // Transport of the queue

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
            // The data is sent when the connection is established.
            return;
        }
        Queue<Runnable> ofHooks = tasks;
        if (ofHooks == null) {
            dispatcher.execute(serving);
        } else if (registered.isOpen()) {
            // Only by a thread inside a hook, because the end of the registration releases the data.
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
            // A task of the dispatcher, because the hook for output is not called while the peer does not read.
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
        // If several threads dispatch, another thread may need the hook for output.
        if (waits || tasks == null) {
            entry().awaitOutput(waits);
        }
    }

    @Override
    protected void pauseInput() {
        // If the connection is not established yet, begin() holds the input.
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
