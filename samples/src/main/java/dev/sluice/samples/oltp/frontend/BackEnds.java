package dev.sluice.samples.oltp.frontend;

import dev.sluice.reactor.Reactor;
import dev.sluice.samples.oltp.bank.BankSize;
import dev.sluice.samples.server.EventLoopThread;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** All back-ends, and which of them has which branch. */
public final class BackEnds implements AutoCloseable {

    private final EventLoopThread<Reactor> thread;
    private final List<BackEnd> servers;
    private volatile BankSize size;
    private volatile boolean closing;

    /**
     * Begins to connect.
     *
     * @param addresses where they are; their order decides which branch is whose
     * @param links     connections to each, at least 1
     * @param timeout   the longest to wait for an answer
     * @param reactor   that the links live on; owned by this object from now on
     * @param failed    told if it fails
     */
    public BackEnds(List<InetSocketAddress> addresses, int links, Duration timeout, Reactor reactor,
                    Consumer<Throwable> failed) {
        thread = new EventLoopThread<>("links", reactor, failed);
        servers = addresses.stream().map(address -> new BackEnd(this, address, reactor, timeout)).toList();
        thread.start();
        servers.forEach(server -> server.connect(links));
    }

    /** {@return why a back-end with a bank of this size is not used, null if it is; called by the loop thread} */
    String refusal(BankSize other) {
        if (other == null) {
            return "it does not tell its bank's size";
        }
        if (size == null) {
            size = other;
        }
        return size.equals(other) ? null : "its bank has " + other + ", the first one's " + size;
    }

    /** {@return the bank's size, null before the first back-end has told it} */
    BankSize size() {
        return size;
    }

    /** {@return the number of the back-end that has a branch, any number} */
    int indexOf(long branch) {
        return (int) Math.floorMod(branch, (long) servers.size());
    }

    BackEnd get(int index) {
        return servers.get(index);
    }

    /** {@return whether links that end are to be replaced no more} */
    boolean isClosing() {
        return closing;
    }

    /** {@return a line about each, by name} */
    Map<String, Object> states() {
        Map<String, Object> states = new LinkedHashMap<>();
        for (int i = 0; i < servers.size(); i++) {
            states.put("back_end_" + i, servers.get(i).state());
        }
        return states;
    }

    /** Ends all links; who waits for an answer is told. */
    @Override
    public void close() {
        closing = true;
        thread.close();
    }
}
