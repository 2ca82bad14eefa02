package dev.sluice.samples.conversation;

import dev.sluice.leaderfollowers.HandleSetSource;
import dev.sluice.leaderfollowers.LeaderFollowersPool;
import dev.sluice.leaderfollowers.MultipleLeadersPool;
import dev.sluice.leaderfollowers.ThreadRole;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The pools of a design, with their handle sets: one pool, or one for each handle set. */
final class LeaderFollowersPools implements Closeable {

    private final List<HandleSetSource> handleSets = new ArrayList<>();
    private final List<MultipleLeadersPool> pools = new ArrayList<>();

    LeaderFollowersPools(PoolDesign design, String demultiplexer) throws IOException {
        try {
            for (int i = 0; i < design.handleSets(); i++) {
                handleSets.add(openHandleSet(demultiplexer, design.kind()));
            }
            if (design.layout() == PoolLayout.MULTIPLE_LEADERS) {
                pools.add(new MultipleLeadersPool(design.anyOrder(), handleSets));
            } else {
                handleSets.forEach(each -> pools.add(new LeaderFollowersPool(each, design.anyOrder())));
            }
        } catch (Throwable e) {
            close();
            throw e;
        }
    }

    private static HandleSetSource openHandleSet(String demultiplexer, HandleSetKind kind) throws IOException {
        return kind == null ? HandleSetSource.open(demultiplexer)
                : HandleSetSource.open(demultiplexer, kind == HandleSetKind.CONCURRENT);
    }

    List<HandleSetSource> handleSets() {
        return handleSets;
    }

    /** {@return the one that a thread joins} */
    MultipleLeadersPool of(int thread) {
        return pools.get(thread % pools.size());
    }

    /** {@return the one pool on the one handle set; null if there are several} */
    LeaderFollowersPool only() {
        return handleSets.size() == 1 && pools.get(0) instanceof LeaderFollowersPool only ? only : null;
    }

    /** Promotes another thread to leader, if the calling thread leads one of the pools. */
    void promoteNewLeader() {
        for (MultipleLeadersPool pool : pools) {
            if (pool.promoteNewLeader()) {
                return;
            }
        }
    }

    /** {@return whether it was a thread of one of the pools} It leaves as soon as it is not dispatching anything. */
    boolean remove(Thread thread) {
        return pools.stream().anyMatch(pool -> pool.remove(thread));
    }

    List<Thread> threads(ThreadRole role) {
        return pools.stream().flatMap(pool -> pool.threads(role).stream()).toList();
    }

    boolean isClosed() {
        return pools.stream().anyMatch(MultipleLeadersPool::isClosed);
    }

    /** Closes the pools, and waits until the threads have dispatched their current events. */
    @Override
    public void close() {
        pools.forEach(MultipleLeadersPool::close);
        // Handle sets that do not belong to a pool yet.
        handleSets.forEach(HandleSetSource::close);
    }
}
