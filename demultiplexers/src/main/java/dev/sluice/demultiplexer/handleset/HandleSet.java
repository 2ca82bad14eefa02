package dev.sluice.demultiplexer.handleset;

import dev.sluice.failure.Failures;
import dev.sluice.handle.Handle;
import dev.sluice.handle.HandleClosedException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** The members of one demultiplexer, each handle at most once. All methods may be called from any thread. */
public final class HandleSet {

    private final String demultiplexer;
    private final ConcurrentMap<Handle, Member> members = new ConcurrentHashMap<>();
    private volatile boolean closed;

    /**
     * Creates an empty set.
     *
     * @param demultiplexer the name of the demultiplexer, for messages
     */
    public HandleSet(String demultiplexer) {
        this.demultiplexer = demultiplexer;
    }

    void add(Member member) throws HandleClosedException {
        if (members.putIfAbsent(member.handle(), member) != null) {
            throw new IllegalStateException(member.handle() + " is registered with this " + demultiplexer + " already");
        }
        if (closed) {
            members.remove(member.handle(), member);
            throw closedException();
        }
    }

    void remove(Member member) {
        members.remove(member.handle(), member);
    }

    /** Removes all members, even if removing one of them throws, and accepts no more. */
    public synchronized void close() {
        closed = true;
        Throwable failure = null;
        for (Member member : members.values()) {
            try {
                member.remove();
            } catch (RuntimeException | Error e) {
                failure = Failures.and(failure, e);
            }
        }
        Failures.throwFirst(failure);
    }

    /** {@return whether the set is closed} */
    public boolean isClosed() {
        return closed;
    }

    /** {@return the exception to throw if the set is used after its close} */
    public HandleClosedException closedException() {
        return new HandleClosedException(demultiplexer + " demultiplexer");
    }
}
