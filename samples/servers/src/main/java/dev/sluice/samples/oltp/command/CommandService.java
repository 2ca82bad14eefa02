package dev.sluice.samples.oltp.command;

import dev.sluice.samples.oltp.pool.Quantum;
import dev.sluice.samples.oltp.pool.Service;
import dev.sluice.samples.oltp.resp.Limits;
import dev.sluice.samples.oltp.resp.ReplyBuffer;
import dev.sluice.samples.oltp.resp.Request;
import dev.sluice.samples.oltp.resp.RequestParser;
import dev.sluice.samples.server.FileProblem;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Locale;

/** The commands of one client. */
public abstract class CommandService implements Service {

    /** What a reply has that answers no forwarded request. */
    public static final long NO_TAG = -1;

    private static final int LONGEST_REQUEST_ID = 64;
    private static final int LONGEST_SHOWN = 64;
    /** If this number of octets waits to be sent, no further request is served until the client has read. */
    private static final int MANY_REPLIES = 64 * 1024;

    private final RequestParser parser = new RequestParser(Limits.DEFAULT);
    private Quantum quantum;
    private boolean over;

    /** For subclasses. */
    protected CommandService() {
    }

    /**
     * Gathers a deposit.
     *
     * @param request from the command's name on: four numbers and perhaps a request id
     * @param tag     of the request, or {@link #NO_TAG}
     * @param replies for those gathered before, if there are enough of them now
     */
    protected abstract void deposit(Request request, long tag, ReplyBuffer replies);

    /**
     * Makes the deposits that are gathered, and answers them.
     *
     * @param replies the destination of the replies
     */
    protected abstract void settle(ReplyBuffer replies);

    /**
     * Answers with the balance of an account.
     *
     * @param account any number
     * @param replies the destination of the replies
     * @throws IOException if that fails
     */
    protected abstract void balance(long account, ReplyBuffer replies) throws IOException;

    /**
     * Tells about the server.
     *
     * @param section in lower case, or empty for what is of general interest
     * @return lines; empty if there is no such section
     * @throws IOException if that fails
     */
    protected abstract String info(String section) throws IOException;

    /** {@return whether requests of other servers' clients are taken, in FORWARD} */
    protected abstract boolean takesForwarded();

    @Override
    public final void serve(ByteBuffer received, Quantum itsQuantum, ReplyBuffer replies) {
        quantum = itsQuantum;
        while (!over && replies.size() < MANY_REPLIES && !quantum.isLong()) {
            RequestParser.Outcome outcome = parser.parse(received);
            if (outcome == RequestParser.Outcome.INCOMPLETE) {
                break;
            }
            if (outcome == RequestParser.Outcome.MALFORMED) {
                settle(replies);
                replies.error("ERR Protocol error: " + parser.complaint());
                over = true;
            } else {
                execute(parser.request(), replies);
            }
        }
        settle(replies);
    }

    /** {@return the turn that is being taken} */
    protected final Quantum quantum() {
        return quantum;
    }

    @Override
    public final boolean isOver() {
        return over;
    }

    private void execute(Request request, ReplyBuffer replies) {
        Command command = Command.named(request, 0);
        if (command == Command.FORWARD && !takesForwarded()) {
            command = null;
        }
        if (command == Command.FORWARD && command.takes(request.count()) && isTag(request)) {
            long tag = request.number(1);
            request.skip(2);
            execute(Command.named(request, 0), request, tag, replies);
        } else {
            execute(command, request, NO_TAG, replies);
        }
    }

    private static boolean isTag(Request request) {
        return request.isNumber(1) && request.number(1) >= 0;
    }

    private void execute(Command command, Request request, long tag, ReplyBuffer replies) {
        if (command == Command.DEPOSIT && isDeposit(request)) {
            deposit(request, tag, replies);
            return;
        }
        if (tag == NO_TAG) {
            settle(replies);
        } else {
            beginTagged(tag, replies);
        }
        if (command == null) {
            String name = request.text(0);
            replies.error("ERR unknown command '" + (name.length() > LONGEST_SHOWN
                    ? name.substring(0, LONGEST_SHOWN) + "..." : name) + "'");
        } else if (!command.takes(request.count())) {
            replies.error("ERR wrong number of arguments for '" + command + "' command");
        } else {
            answer(command, request, replies);
        }
    }

    /**
     * Begins the reply to a forwarded request.
     *
     * @param tag     its tag
     * @param replies the command's own reply has to follow
     */
    public static void beginTagged(long tag, ReplyBuffer replies) {
        replies.array(2);
        replies.integer(tag);
    }

    private static boolean isDeposit(Request request) {
        return Command.DEPOSIT.takes(request.count())
                && request.isNumber(1) && request.isNumber(2) && request.isNumber(3) && request.isNumber(4)
                && (request.count() == 5 || request.isWord(5, LONGEST_REQUEST_ID));
    }

    private void answer(Command command, Request request, ReplyBuffer replies) {
        try {
            switch (command) {
                case BALANCE -> {
                    if (request.isNumber(1)) {
                        balance(request.number(1), replies);
                    } else {
                        noInteger(replies);
                    }
                }
                case DEPOSIT -> {
                    if (request.count() == 6 && !request.isWord(5, LONGEST_REQUEST_ID)) {
                        replies.error("ERR a request id is 1 to " + LONGEST_REQUEST_ID + " printable ASCII characters");
                    } else {
                        noInteger(replies);
                    }
                }
                case FORWARD -> replies.error("ERR a tag is a number from 0 on, and the command no other FORWARD");
                case INFO -> replies.bulk(info(request.count() == 1 ? "" : request.text(1).toLowerCase(Locale.ROOT)));
                case PING -> {
                    if (request.count() == 1) {
                        replies.simple("PONG");
                    } else {
                        request.copyTo(1, replies);
                    }
                }
                case QUIT -> {
                    replies.simple("OK");
                    over = true;
                }
                default -> HandshakeCommands.answer(command, request, replies);
            }
        } catch (IOException e) {
            replies.error("FAIL " + FileProblem.describe(e));
        }
    }

    private static void noInteger(ReplyBuffer replies) {
        replies.error("ERR value is not an integer or out of range");
    }
}
