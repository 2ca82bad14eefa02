package dev.sluice.samples.oltp.frontend;

import dev.sluice.samples.oltp.command.CommandService;
import dev.sluice.samples.oltp.command.InfoText;
import dev.sluice.samples.oltp.pool.PoolStates;
import dev.sluice.samples.oltp.resp.ReplyBuffer;
import dev.sluice.samples.oltp.resp.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/** The service of one client of a front end. */
final class FrontEndService extends CommandService {

    private static final int MAX_DEPOSITS = 256;
    // Of this process and no other.
    private static final String ID_PREFIX = UUID.randomUUID() + "-";
    private static final AtomicLong NEXT_ID = new AtomicLong();

    private final BackEnds backEnds;
    private final PoolStates pool;
    private final List<Call> calls = new ArrayList<>();
    /** By {@link System#nanoTime()}. */
    private long lastAnswer = System.nanoTime();

    FrontEndService(BackEnds backEnds, PoolStates pool) {
        this.backEnds = backEnds;
        this.pool = pool;
    }

    @Override
    protected boolean takesForwarded() {
        return false;
    }

    @Override
    protected void deposit(Request request, long tag, ReplyBuffer replies) {
        if (calls.size() == MAX_DEPOSITS) {
            settle(replies);
        }
        long branch = request.number(3);
        calls.add(new Call(backEnds.ofBranch(branch), "DEPOSIT", Long.toString(request.number(1)),
                Long.toString(request.number(2)), Long.toString(branch), Long.toString(request.number(4)),
                request.count() > 5 ? request.text(5) : ID_PREFIX + NEXT_ID.getAndIncrement()));
    }

    @Override
    protected void settle(ReplyBuffer replies) {
        if (calls.isEmpty()) {
            return;
        }
        long deadline = deadline();
        if (deadline - System.nanoTime() > 0) {
            send();
            for (Call call : calls) {
                if (call.backEnd().answer(call, deadline, replies)) {
                    lastAnswer = System.nanoTime();
                }
            }
        } else {
            calls.forEach(call -> call.backEnd().tooLate(replies));
        }
        calls.clear();
    }

    /** The latest time for an answer: what has been received waits no longer, but for other requests' answers. */
    private long deadline() {
        long since = quantum().since();
        return (lastAnswer - since > 0 ? lastAnswer : since) + backEnds.timeout().toNanos();
    }

    private void send() {
        for (BackEnd each : backEnds.all()) {
            List<Call> its = calls.stream().filter(call -> call.backEnd() == each).toList();
            if (!its.isEmpty()) {
                each.send(its);
            }
        }
    }

    @Override
    protected void balance(long account, ReplyBuffer replies) {
        calls.add(new Call(backEnds.ofAccount(account), "BALANCE", Long.toString(account)));
        settle(replies);
    }

    @Override
    protected String info(String section) {
        InfoText text = new InfoText(section);
        if (text.begin("Pool", true)) {
            text.lines(pool.states());
        }
        if (text.begin("Back-ends", true)) {
            text.lines(backEnds.states());
        }
        return text.toString();
    }
}
