package dev.sluice.eventloop.spi;

import java.util.concurrent.Executor;

/** A listening socket as a member of a loop: finished before all connections, since it brings more of them. */
public abstract class AcceptorMember extends LoopMember {

    /**
     * Creates a member that belongs to no list yet.
     *
     * @param loop runs tasks where its hooks are called
     */
    protected AcceptorMember(Executor loop) {
        super(loop);
    }

    /**
     * Accepts again, after {@link dev.sluice.connection.Connections#reserve} has returned false. Called by any thread,
     * which may have closed a connection; must not block.
     */
    public abstract void resume();
}
