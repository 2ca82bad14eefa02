package dev.sluice.eventloop;

import dev.sluice.eventloop.spi.AcceptorMember;
import dev.sluice.eventloop.spi.LoopMember;
import java.util.List;
import java.util.concurrent.Executor;

/** A member of a loop that records how it is ended. */
public final class StopMember extends LoopMember {

    private final String name;
    private final List<String> calls;
    private Runnable onFinish = () -> { };
    private Runnable onEnd = () -> { };

    StopMember(String name, Executor loop, List<String> calls) {
        super(loop);
        this.name = name;
        this.calls = calls;
    }

    void onFinish(Runnable action) {
        onFinish = action;
    }

    void onEnd(Runnable action) {
        onEnd = action;
    }

    @Override
    protected void finish() {
        calls.add("finish " + name);
        onFinish.run();
    }

    @Override
    protected void endNow() {
        calls.add("end " + name);
        onEnd.run();
    }

    @Override
    public String toString() {
        return name;
    }

    /** One that stands for a listening socket, and leaves when it is asked to finish. */
    static final class Acceptor extends AcceptorMember {

        private final EventLoop owner;
        private final List<String> calls;
        private volatile Thread thread;

        Acceptor(EventLoop owner, List<String> calls) {
            super(owner);
            this.owner = owner;
            this.calls = calls;
        }

        Thread thread() {
            return thread;
        }

        @Override
        public void resume() {
            calls.add("resume acceptor");
        }

        @Override
        protected void finish() {
            calls.add("finish acceptor");
            thread = Thread.currentThread();
            owner.removeMember(this);
        }

        @Override
        protected void endNow() {
            calls.add("end acceptor");
        }
    }
}
