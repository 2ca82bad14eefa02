package dev.sluice.eventloop.spi;

import dev.sluice.hook.HookFailure;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A listening socket or a connection that an event loop owns, and ends in order when the loop is asked to stop. It is a
 * link of the loop's list, so it joins and leaves without an object for that. Where several threads dispatch, a member
 * sees to it itself that {@link #finish()} does not run at the same time as its hooks.
 */
public abstract class LoopMember {

    /**
     * How many bytes a connection receives at most before it is asked to finish: more than a socket holds by default,
     * so what exceeds that has come since the stop began.
     */
    public static final long MAX_REST = 32L << 20;

    private static final Logger LOG = LoggerFactory.getLogger(LoopMember.class);

    private final Executor loop;
    private boolean finishing;

    // Guarded by the lock of the list. Null while it is in none.

    LoopMember previous;
    LoopMember next;

    /**
     * Creates a member that belongs to no list yet.
     *
     * @param loop runs tasks where its hooks are called
     */
    protected LoopMember(Executor loop) {
        this.loop = loop;
    }

    /** {@return what runs tasks where its hooks are called} */
    public final Executor loop() {
        return loop;
    }

    /**
     * Begins its orderly end: a listening socket is closed, a connection usually sends what is left and then closes.
     * Called once at most, where its hooks are called. What it throws is logged, and {@link #endNow()} is called.
     *
     * @throws Exception what the program's hook throws
     */
    protected abstract void finish() throws Exception;

    /**
     * Ends it at once: the deadline has passed, the loop is being closed, or {@link #finish()} has failed. Called where
     * its hooks are called; may be called after it has ended.
     */
    protected abstract void endNow();

    /** {@return whether it has sent all, and only the peer's end is awaited} It is not reported at the deadline. */
    protected boolean isLingering() {
        return false;
    }

    /** Calls {@link #finish()} unless that has been done. Called where its hooks are called; does not throw. */
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

    /** Makes the loop call {@link #end()} soon, where its hooks are called. Called by any thread. */
    public void endSoon() {
        loop.execute(this::end);
    }

    /** Calls {@link #endNow()}, and logs what it throws. Called where its hooks are called. */
    public final void end() {
        try {
            endNow();
        } catch (Throwable e) {
            HookFailure.log(LOG, this, "its end", e);
        }
    }
}
