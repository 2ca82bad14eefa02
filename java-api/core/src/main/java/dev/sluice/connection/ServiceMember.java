package dev.sluice.connection;

import dev.sluice.dispatch.EndListener;
import dev.sluice.dispatch.HandlerEntry;
import dev.sluice.eventloop.EventLoop;
import dev.sluice.eventloop.spi.LoopMember;
import dev.sluice.reactor.Dispatcher;
import org.jspecify.annotations.Nullable;

/** An established connection as a member of its event loop, and of the connections of its acceptor. */
final class ServiceMember extends LoopMember implements EndListener {

    private final ReadinessOutput output;
    private final Dispatcher dispatcher;
    /** Null if it was not accepted. */
    private final @Nullable Connections registry;
    private final HandlerEntry entry;
    private ServiceHandler handler;
    /** Whether the handler has been asked to finish. */
    private boolean finished;

    ServiceMember(ServiceHandler handler, HandlerEntry entry, ReadinessOutput output,
            @Nullable Connections registry) {
        super(output);
        this.handler = handler;
        this.entry = entry;
        this.output = output;
        this.registry = registry;
        this.dispatcher = entry.dispatcher();
    }

    void join() {
        entry.notifyAtEnd(this);
        if (dispatcher instanceof EventLoop loop) {
            loop.addMember(this);
        }
        // Last, as the acceptor frees the place if something fails before.
        if (registry != null) {
            registry.add(this, handler);
        }
    }

    /** The connection belongs to another handler. */
    void handOver(ServiceHandler next) {
        handler = next;
        if (registry != null) {
            registry.add(this, next);
        }
    }

    @Nullable Connections registry() {
        return registry;
    }

    @Override
    public void handleEnd(@Nullable Throwable cause) {
        try {
            output.ended(cause);
            output.endTasks();
        } finally {
            try {
                leave();
            } finally {
                handler.connectionEnded();
            }
        }
    }

    private void leave() {
        if (registry != null) {
            registry.remove(this);
        }
        if (dispatcher instanceof EventLoop loop) {
            loop.removeMember(this);
        }
    }

    @Override
    protected void finish() {
        Runnable task = this::finishInHook;
        output.whenInputResumes(task);
        if (entry.isCaller()) {
            task.run();
        } else {
            // Where several threads dispatch, one that is in no hook of the connection asks for this.
            output.execute(task);
        }
    }

    /** What has come is received first, as the peer makes space for the answers. */
    private void finishInHook() {
        try {
            if (finished || !entry.isOpen()) {
                return;
            }
            if (!handler.receiveRest()) {
                if (entry.receivesInput()) {
                    // The other connections get their turn.
                    output.loop().execute(this::finishInHook);
                }
            } else if (entry.isOpen()) {
                finished = true;
                output.whenInputResumes(null);
                handler.finish();
            }
        } catch (Throwable e) {
            entry.end(e);
        }
    }

    @Override
    protected boolean isLingering() {
        return output.isLingering();
    }

    @Override
    public void endSoon() {
        if (entry.isShared()) {
            // Not by a hook for output, which is not called as long as the peer takes nothing.
            dispatcher.execute(this::end);
        } else {
            super.endSoon();
        }
    }

    @Override
    protected void endNow() {
        entry.close();
    }

    @Override
    public String toString() {
        return handler.toString();
    }
}
