package dev.sluice.eventloop.spi;

import java.util.concurrent.Executor;

/** A listening socket as a member of a loop. It is finished before all connections, since it accepts more of them. */
public abstract class AcceptorMember extends LoopMember {

    /**
     * Creates a member that is not in any list yet.
     *
     * @param loop runs tasks on the thread that calls its hooks
     */
    protected AcceptorMember(Executor loop) {
        super(loop);
    }

    /**
     * Resumes accepting after {@link dev.sluice.connection.Connections#reserve} has returned false. Called by any
     * thread, for example one that has closed a connection; must not block.
     */
    public abstract void resume();
}
