package dev.sluice.eventloop.spi;

import dev.sluice.hook.HookFailure;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A listening socket or a connection that an event loop owns, and ends in order when the loop is stopped. It is a node
 * of the loop's list, so adding and removing it does not allocate. If several threads dispatch, the member itself must
 * ensure that {@link #finish()} does not run concurrently with its hooks.
 */
public abstract class LoopMember {

    /**
     * Maximum number of bytes that a connection receives before it is asked to finish. It is more than a socket buffers
     * by default, so bytes beyond it have arrived since the stop began.
     */
    public static final long MAX_REST = 32L << 20;

    private static final Logger LOG = LoggerFactory.getLogger(LoopMember.class);

    private final Executor loop;
    private boolean finishing;

    // Guarded by the lock of the list; null while it is not in a list

    LoopMember previous;
    LoopMember next;

    /**
     * Creates a member that is not in any list yet.
     *
     * @param loop runs tasks on the thread that calls its hooks
     */
    protected LoopMember(Executor loop) {
        this.loop = loop;
    }

    /** {@return the executor that runs tasks on the thread that calls its hooks} */
    public final Executor loop() {
        return loop;
    }

    /**
     * Begins its orderly end: a listening socket is closed, a connection usually sends its queued output and then
     * closes. Called at most once, on the thread that calls its hooks. If it throws, the exception is logged and
     * {@link #endNow()} is called.
     *
     * @throws Exception if a hook of the program throws it
     */
    protected abstract void finish() throws Exception;

    /**
     * Ends it immediately, because the deadline has passed, the loop is being closed, or {@link #finish()} has failed.
     * Called on the thread that calls its hooks; may be called after it has ended.
     */
    protected abstract void endNow();

    /**
     * {@return whether it has sent all output, and only waits for the peer to close} It is not reported at the deadline
     * then.
     */
    protected boolean isLingering() {
        return false;
    }

    /**
     * Calls {@link #finish()} unless it has already been called. Called on the thread that calls its hooks; does not
     * throw.
     */
    public final void beginFinish() {
        synchronized (this) {
            if (finishing) {
                return;
            }
            finishing = true;
        }
        try {
            finish();
        } catch (Throwable e) {
            HookFailure.log(LOG, this, "finish", e);
            end();
        }
    }

    /** Makes the loop call {@link #end()} on the thread that calls its hooks. Called by any thread. */
    public void endSoon() {
        loop.execute(this::end);
    }

    /** Calls {@link #endNow()}, and logs an exception of it. Called on the thread that calls its hooks. */
    public final void end() {
        try {
            endNow();
        } catch (Throwable e) {
            HookFailure.log(LOG, this, "its end", e);
        }
    }
}
