package dev.sluice.samples.oltp.frontend;

import dev.sluice.eventloop.OsSignal;
import dev.sluice.leaderfollowers.LeaderFollowersPool;
import dev.sluice.reactor.Reactor;
import dev.sluice.reactor.ReactorGroup;
import dev.sluice.samples.oltp.bank.BankSize;
import dev.sluice.samples.server.StopRequest;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** All back-ends, and the assignment of branches to them. */
final class BackEnds implements AutoCloseable {

    private final ReactorGroup loop;
    private final Reactor reactor;
    private final List<BackEnd> servers;
    private final int links;
    private final Duration timeout;
    private volatile LeaderFollowersPool pool;
    private volatile boolean closing;
    private BankSize size;

    /**
     * Knows them; nothing is connected yet.
     *
     * @param addresses where they are; their order decides which branch is whose
     * @param links     connections to each, at least 1
     * @param timeout   the longest to wait for an answer
     * @param loop      the reactor that connects; owned by this object from now on
     * @param failed    told if it fails
     */
    BackEnds(List<InetSocketAddress> addresses, int links, Duration timeout, ReactorGroup loop,
             Consumer<Throwable> failed) {
        this.loop = loop;
        this.reactor = loop.loops().get(0);
        this.links = links;
        this.timeout = timeout;
        this.servers = addresses.stream().map(address -> new BackEnd(this, address, reactor, timeout)).toList();
        loop.onFailure(failed);
        loop.start();
    }

    /** Hears of the signals that end the server where no hook waits: those that serve clients wait for back-ends. */
    void listen(StopRequest stop) {
        stop.signals().register(reactor, OsSignal.TERM, stop::request);
        stop.signals().register(reactor, OsSignal.INT, stop::request);
    }

    /** Connects, to receive in the threads of a pool that serves clients too. */
    void connect(LeaderFollowersPool shared) {
        pool = shared;
        connect(() -> new BoundResponses(shared));
    }

    /** Connects, to receive in a thread of its own. */
    void connect() {
        connect(() -> new ParkedResponses(reactor));
    }

    private void connect(Supplier<Responses> responses) {
        servers.forEach(server -> server.connect(links, responses));
        try {
            for (BackEnd server : servers) {
                server.awaitAttempt();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** {@return the longest to wait for an answer} */
    Duration timeout() {
        return timeout;
    }

    /** {@return whether links end because all of them do} */
    boolean areClosing() {
        return closing || pool != null && pool.isClosed();
    }

    /** {@return why a back-end with a bank of this size is not used, null if it is} */
    synchronized String refusal(BankSize other) {
        if (other == null) {
            return "it does not report its bank's size";
        }
        if (size == null) {
            size = other;
        }
        return size.equals(other) ? null : "its bank has " + other + ", the first one's " + size;
    }

    /** {@return the back-end that has a branch, any number} */
    BackEnd ofBranch(long branch) {
        return servers.get((int) Math.floorMod(branch, (long) servers.size()));
    }

    /**
     * {@return the back-end that has an account, any number; the first one until a back-end has reported the number of
     * accounts of a branch}
     */
    synchronized BackEnd ofAccount(long account) {
        // Where no branch has it, any back-end says so.
        return size == null ? servers.get(0) : ofBranch(account / size.accountsPerBranch());
    }

    List<BackEnd> all() {
        return servers;
    }

    /** {@return a line about each, by name} */
    Map<String, Object> states() {
        Map<String, Object> states = new LinkedHashMap<>();
        for (int i = 0; i < servers.size(); i++) {
            states.put("back_end_" + i, servers.get(i).state());
        }
        return states;
    }

    /** Ends all links; calls that wait for an answer fail. Does nothing when called again. */
    @Override
    public void close() {
        closing = true;
        loop.close();
    }
}
