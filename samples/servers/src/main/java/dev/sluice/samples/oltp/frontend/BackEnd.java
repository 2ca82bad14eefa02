package dev.sluice.samples.oltp.frontend;

import dev.sluice.connection.Connector;
import dev.sluice.handle.HandleClosedException;
import dev.sluice.reactor.Reactor;
import dev.sluice.samples.oltp.bank.BankSize;
import dev.sluice.samples.oltp.resp.ReplyBuffer;
import dev.sluice.samples.server.FileProblem;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A back-end server, and the links to it, which are replaced when they end. For any thread. */
final class BackEnd {

    private static final Logger LOG = LoggerFactory.getLogger(BackEnd.class);
    private static final Duration LONGEST_SETUP = Duration.ofSeconds(2);

    private final BackEnds all;
    private final InetSocketAddress address;
    private final Reactor reactor;
    private final Duration timeout;
    private final Duration setupTimeout;
    private final List<Link> usable = new CopyOnWriteArrayList<>();
    private final CountDownLatch tried = new CountDownLatch(1);
    private final AtomicInteger nextLink = new AtomicInteger();
    private volatile Supplier<Responses> responses;
    private volatile String problem = "not connected yet";

    private final LongAdder sent = new LongAdder();
    private final LongAdder sentAgain = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder lostLinks = new LongAdder();

    BackEnd(BackEnds all, InetSocketAddress address, Reactor reactor, Duration timeout) {
        this.all = all;
        this.address = address;
        this.reactor = reactor;
        this.timeout = timeout;
        this.setupTimeout = timeout.compareTo(LONGEST_SETUP) < 0 ? timeout : LONGEST_SETUP;
    }

    /** Begins to keep up some links. */
    void connect(int links, Supplier<Responses> newResponses) {
        responses = newResponses;
        for (int i = 0; i < links; i++) {
            connect(new Backoff());
        }
    }

    private void connect(Backoff backoff) {
        Connector.connect(reactor, address, setupTimeout, new Link(this, responses.get(), backoff));
    }

    /** If there is no memory for a link, tries again: none would take its place until the end of this server. */
    private void connectAgain(Backoff backoff) {
        try {
            connect(backoff);
        } catch (OutOfMemoryError e) {
            reactor.schedule(token -> connectAgain(backoff), null, backoff.next());
            problem = FileProblem.describe(e);
        }
    }

    /** Waits until an attempt to connect has come to an end, whichever. */
    void awaitAttempt() throws InterruptedException {
        tried.await(2 * setupTimeout.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** {@return the longest to wait for a connection, and then for the size of the bank} */
    Duration setupTimeout() {
        return setupTimeout;
    }

    /** Called when a link has received the back-end's INFO: from now on it is used. */
    void introduced(Link link, byte[] info) throws IOException {
        String refusal = all.refusal(sizeIn(new String(info, StandardCharsets.UTF_8)));
        if (refusal != null) {
            throw new IOException(refusal);
        }
        link.backoff().reset();
        if (usable.isEmpty()) {
            LOG.info("back-end {} is connected", this);
        }
        usable.add(link);
        tried.countDown();
    }

    /** {@return the size that INFO tells, null if it tells none} */
    private static BankSize sizeIn(String info) {
        Map<String, Integer> numbers = new HashMap<>();
        for (String line : info.split("\r\n")) {
            if (line.matches("[a-z_]+:[1-9][0-9]{0,8}")) {
                String[] parts = line.split(":");
                numbers.put(parts[0], Integer.valueOf(parts[1]));
            }
        }
        Integer branches = numbers.get("branches");
        Integer tellers = numbers.get("tellers_per_branch");
        Integer accounts = numbers.get("accounts_per_branch");
        return branches == null || tellers == null || accounts == null ? null
                : new BankSize(branches, tellers, accounts);
    }

    /** A link is at its end: it gets no requests any more. */
    void withdraw(Link link) {
        if (usable.remove(link)) {
            lostLinks.increment();
        }
    }

    /** A link has ended, or never stood: it is replaced, after a pause. */
    void lost(Link link, Throwable cause) {
        withdraw(link);
        if (all.areClosing()) {
            return;
        }
        String message = FileProblem.describe(cause);
        if (usable.isEmpty() && !message.equals(problem)) {
            LOG.warn("back-end {} cannot be used: {}", this, message);
        }
        problem = message;
        tried.countDown();
        try {
            reactor.schedule(token -> connectAgain(link.backoff()), null, link.backoff().next());
        } catch (IllegalStateException | RejectedExecutionException e) {
            // The reactor ends at this moment, and so does this server.
            LOG.debug("{}", this, e);
        }
    }

    /** Sends requests on one link, in their order. None waits: without a link, they have failed. */
    void send(List<Call> calls) {
        Object[] links = usable.toArray();
        if (links.length == 0) {
            IOException none = new IOException(problem);
            calls.forEach(call -> call.failed(none));
        } else {
            sent.add(calls.size());
            ((Link) links[Math.floorMod(nextLink.getAndIncrement(), links.length)]).send(calls);
        }
    }

    /**
     * Waits for the answer to a request that was sent, and sends it again if the link breaks and there are others.
     *
     * @param deadline by {@link System#nanoTime()}
     * @return whether it is the back-end's
     */
    boolean answer(Call call, long deadline, ReplyBuffer replies) {
        while (true) {
            try {
                replies.encoded(call.await(deadline));
                return true;
            } catch (SocketTimeoutException e) {
                call.expire(timeout);
                fail(replies, "has not answered within " + timeout.toMillis() + " ms");
                return false;
            } catch (HandleClosedException | InterruptedIOException e) {
                fail(replies, "is no longer awaited: this server is stopping");
                return false;
            } catch (IOException e) {
                if (!call.wasSent() || usable.isEmpty() || System.nanoTime() - deadline >= 0) {
                    fail(replies, "is not available: " + FileProblem.describe(e));
                    return false;
                }
                sentAgain.increment();
                send(List.of(call));
            }
        }
    }

    /** Answers a request whose time was over before it could be sent. */
    void tooLate(ReplyBuffer replies) {
        fail(replies, "was not asked within " + timeout.toMillis() + " ms");
    }

    private void fail(ReplyBuffer replies, String why) {
        failed.increment();
        replies.error("FAIL back-end " + this + " " + why);
    }

    /** {@return a line about it} */
    String state() {
        int links = usable.size();
        return "address=" + this + ",links=" + links + ",lost=" + lostLinks + ",sent=" + sent + ",sent_again="
                + sentAgain + ",failed=" + failed + (links == 0 ? ",problem=" + problem : "");
    }

    @Override
    public String toString() {
        return address.getHostString() + ":" + address.getPort();
    }
}
