package dev.sluice.samples.oltp.frontend;

import dev.sluice.samples.oltp.bank.BankSize;
import dev.sluice.samples.oltp.command.CommandService;
import dev.sluice.samples.oltp.pool.PoolStates;
import dev.sluice.samples.oltp.resp.ReplyBuffer;
import dev.sluice.samples.oltp.resp.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/** What one client gets of a front end. */
public final class FrontEndService extends CommandService {

    private static final int MOST_DEPOSITS = 256;
    // Of this process and no other.
    private static final String ID_PREFIX = UUID.randomUUID() + "-";
    private static final AtomicLong NEXT_ID = new AtomicLong();

    private final BackEnds backEnds;
    private final PoolStates pool;
    private final List<Call> calls = new ArrayList<>();
    private int target;

    /**
     * Begins to serve a client.
     *
     * @param backEnds where requests go
     * @param pool     the threads of this server
     */
    public FrontEndService(BackEnds backEnds, PoolStates pool) {
        this.backEnds = backEnds;
        this.pool = pool;
    }

    @Override
    protected boolean takesForwarded() {
        return false;
    }

    @Override
    protected void deposit(Request request, long tag, ReplyBuffer replies) {
        int index = backEnds.indexOf(request.number(3));
        if (calls.size() == MOST_DEPOSITS || index != target) {
            settle(replies);
        }
        target = index;
        calls.add(new Call("DEPOSIT", Long.toString(request.number(1)), Long.toString(request.number(2)),
                Long.toString(request.number(3)), Long.toString(request.number(4)),
                request.count() > 5 ? request.text(5) : ID_PREFIX + NEXT_ID.getAndIncrement()));
    }

    @Override
    protected void settle(ReplyBuffer replies) {
        if (!calls.isEmpty()) {
            forward(replies);
        }
    }

    private void forward(ReplyBuffer replies) {
        for (Answer answer : backEnds.get(target).ask(calls)) {
            if (answer.reply() != null) {
                replies.encoded(answer.reply());
            } else {
                replies.error("FAIL " + answer.problem());
            }
        }
        calls.clear();
    }

    @Override
    protected void balance(long account, ReplyBuffer replies) {
        BankSize size = backEnds.size();
        // Where no branch has it, any back-end says so.
        target = size == null ? 0 : backEnds.indexOf(account / size.accountsPerBranch());
        calls.add(new Call("BALANCE", Long.toString(account)));
        forward(replies);
    }

    @Override
    protected String info(String section) {
        StringBuilder text = new StringBuilder();
        boolean all = section.isEmpty() || section.equals("default") || section.equals("all");
        if (all || section.equals("pool")) {
            append(text, "Pool", pool.states());
        }
        if (all || section.equals("back-ends")) {
            append(text, "Back-ends", backEnds.states());
        }
        return text.toString();
    }

    private static void append(StringBuilder text, String section, Map<String, Object> lines) {
        text.append(text.isEmpty() ? "" : "\r\n").append("# ").append(section).append("\r\n");
        lines.forEach((name, value) -> text.append(name).append(':').append(value).append("\r\n"));
    }
}
