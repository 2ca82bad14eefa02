package dev.sluice.samples.oltp.frontend;

import dev.sluice.connection.Connector;
import dev.sluice.reactor.Reactor;
import dev.sluice.samples.oltp.bank.BankSize;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A back-end server, and the links to it: kept up by the loop thread, used by any. */
final class BackEnd {

    private static final Logger LOG = LoggerFactory.getLogger(BackEnd.class);
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);

    private final BackEnds all;
    private final InetSocketAddress address;
    private final Reactor reactor;
    private final Connector connector;
    private final Duration timeout;
    private final List<Link> usable = new CopyOnWriteArrayList<>();
    private final Map<Link, Backoff> backoffs = new HashMap<>();
    private final AtomicInteger turn = new AtomicInteger();
    private final LongAdder answered = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private volatile String problem = "it is not connected yet";

    BackEnd(BackEnds all, InetSocketAddress address, Reactor reactor, Duration timeout) {
        this.all = all;
        this.address = address;
        this.reactor = reactor;
        this.connector = new Connector(reactor);
        this.timeout = timeout;
    }

    /** Begins to keep up some links. */
    void connect(int links) {
        for (int i = 0; i < links; i++) {
            connect(new Backoff());
        }
    }

    private void connect(Backoff backoff) {
        Link link = new Link(this);
        reactor.execute(() -> backoffs.put(link, backoff));
        connector.connect(link, address, CONNECT_TIMEOUT);
    }

    /** {@return a line for INFO} */
    String state() {
        int links = usable.size();
        return "address=" + this + ",links=" + links + ",answered=" + answered + ",failed=" + failed
                + (links == 0 ? ",problem=" + problem : "");
    }

    /** A link stands. It is used when the back-end has told what bank it has. */
    void opened(Link link) {
        Call question = new Call("INFO", "bank");
        question.whenAnswered(reply -> introduced(link, reply));
        link.send(List.of(question));
    }

    private void introduced(Link link, byte[] reply) {
        String refusal = all.refusal(sizeIn(new String(reply, StandardCharsets.UTF_8)));
        if (refusal != null) {
            if (!refusal.equals(problem)) {
                LOG.error("back-end {} is not used: {}", this, refusal);
            }
            link.end(new IOException(refusal));
            return;
        }
        if (usable.isEmpty()) {
            LOG.info("back-end {} is connected", this);
        }
        backoffs.get(link).reset();
        usable.add(link);
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

    /** A link has ended, or never stood: it is replaced, after a pause. */
    void lost(Link link, Exception cause) {
        problem = cause.getMessage();
        boolean last = usable.remove(link) && usable.isEmpty();
        if (all.isClosing()) {
            return;
        }
        if (last) {
            LOG.warn("back-end {} is lost: {}", this, cause.getMessage());
        }
        Backoff backoff = backoffs.remove(link);
        reactor.schedule(token -> connect(backoff), null, backoff.next());
    }

    /**
     * Sends requests, on one link, and waits for all replies: again if the link breaks, until the time is up.
     *
     * @param calls as they are sent first
     * @return their replies, and the failures of those that have none
     */
    List<Answer> ask(List<Call> calls) {
        long deadline = System.nanoTime() + timeout.toNanos();
        List<Answer> answers = new ArrayList<>();
        List<Call> sent = send(calls);
        for (Call call : sent) {
            answers.add(answer(call, deadline));
        }
        return answers;
    }

    private Answer answer(Call call, long deadline) {
        Call current = call;
        while (true) {
            try {
                byte[] reply = current.await(deadline);
                answered.increment();
                return new Answer(reply, null);
            } catch (SocketTimeoutException e) {
                failed.increment();
                return new Answer(null, "no answer of back-end " + this + " within " + timeout.toMillis() + " ms");
            } catch (IOException e) {
                if (!(e instanceof LinkLostException) || usable.isEmpty() || System.nanoTime() - deadline > 0) {
                    failed.increment();
                    return new Answer(null, "back-end " + this + " is not there: " + e.getMessage());
                }
                current = send(List.of(current.again())).get(0);
            }
        }
    }

    private List<Call> send(List<Call> calls) {
        Object[] links = usable.toArray();
        if (links.length == 0) {
            calls.forEach(call -> call.fail(new IOException(problem)));
        } else {
            ((Link) links[Math.floorMod(turn.getAndIncrement(), links.length)]).send(calls);
        }
        return calls;
    }

    @Override
    public String toString() {
        return address.getHostString() + ":" + address.getPort();
    }
}
