package dev.sluice.samples.oltp.backend;

import dev.sluice.samples.oltp.bank.Bank;
import dev.sluice.samples.oltp.pool.Service;
import dev.sluice.samples.oltp.resp.Limits;
import dev.sluice.samples.oltp.resp.ReplyBuffer;
import dev.sluice.samples.oltp.resp.Request;
import dev.sluice.samples.oltp.resp.RequestParser;
import java.io.IOException;
import java.nio.ByteBuffer;

/** The commands of one client. */
public final class BackEndService implements Service {

    private static final int LONGEST_REQUEST_ID = 64;
    private static final int MOST_DEPOSITS = 256;
    /** When so many octets wait to be sent, the client reads first. */
    private static final int MANY_REPLIES = 64 * 1024;

    private final Bank bank;
    private final BackEndInfo info;
    private final RequestParser parser = new RequestParser(Limits.DEFAULT);
    private final DepositBatch deposits = new DepositBatch();
    private boolean over;

    /**
     * Begins to serve a client.
     *
     * @param bank holds the accounts
     * @param info tells about this server
     */
    public BackEndService(Bank bank, BackEndInfo info) {
        this.bank = bank;
        this.info = info;
    }

    @Override
    public void serve(ByteBuffer received, ReplyBuffer replies) {
        while (!over && replies.size() < MANY_REPLIES) {
            RequestParser.Outcome outcome = parser.parse(received);
            if (outcome == RequestParser.Outcome.INCOMPLETE) {
                break;
            }
            if (outcome == RequestParser.Outcome.MALFORMED) {
                deposits.make(bank, replies);
                replies.error("ERR Protocol error: " + parser.complaint());
                over = true;
            } else {
                execute(parser.request(), replies);
            }
        }
        deposits.make(bank, replies);
    }

    @Override
    public boolean isOver() {
        return over;
    }

    private void execute(Request request, ReplyBuffer replies) {
        Command command = Command.named(request, 0);
        if (command == Command.DEPOSIT && isDeposit(request)) {
            deposits.next().set(request.number(1), request.number(2), request.number(3), request.number(4),
                    request.count() > 5 ? request.text(5) : null);
            if (deposits.size() == MOST_DEPOSITS) {
                deposits.make(bank, replies);
            }
            return;
        }
        // Replies are in the order of the requests.
        deposits.make(bank, replies);
        if (command == null) {
            replies.error("ERR unknown command '" + shown(request) + "'");
        } else if (!command.takes(request.count())) {
            replies.error("ERR wrong number of arguments for '" + command + "' command");
        } else {
            execute(command, request, replies);
        }
    }

    private static String shown(Request request) {
        String name = request.text(0);
        return name.length() > 64 ? name.substring(0, 64) + "..." : name;
    }

    private static boolean isDeposit(Request request) {
        return Command.DEPOSIT.takes(request.count())
                && request.isNumber(1) && request.isNumber(2) && request.isNumber(3) && request.isNumber(4)
                && (request.count() == 5 || request.isWord(5, LONGEST_REQUEST_ID));
    }

    private void execute(Command command, Request request, ReplyBuffer replies) {
        switch (command) {
            case BALANCE -> balance(request, replies);
            case DEPOSIT -> replies.error(request.count() == 6 && !request.isWord(5, LONGEST_REQUEST_ID)
                    ? "ERR a request id is 1 to " + LONGEST_REQUEST_ID + " printable ASCII characters"
                    : "ERR value is not an integer or out of range");
            case INFO -> info(request, replies);
            case PING -> {
                if (request.count() == 1) {
                    replies.simple("PONG");
                } else {
                    request.copyTo(1, replies);
                }
            }
            case COMMAND -> describe(request, replies);
            case QUIT -> {
                replies.simple("OK");
                over = true;
            }
            default -> Courtesy.answer(command, request, replies);
        }
    }

    private void balance(Request request, ReplyBuffer replies) {
        if (!request.isNumber(1)) {
            replies.error("ERR value is not an integer or out of range");
        } else if (!bank.hasAccount(request.number(1))) {
            replies.error("ERR there is no account " + request.number(1));
        } else {
            try {
                replies.integer(bank.balance(request.number(1)));
            } catch (IOException e) {
                replies.error("FAIL " + e.getMessage());
            }
        }
    }

    private void info(Request request, ReplyBuffer replies) {
        try {
            replies.bulk(info.text(request.count() == 1 ? "" : request.text(1)));
        } catch (IOException e) {
            replies.error("FAIL " + e.getMessage());
        }
    }

    private static void describe(Request request, ReplyBuffer replies) {
        if (request.count() == 1) {
            replies.array(Command.values().length);
            for (Command each : Command.values()) {
                each.describe(replies);
            }
        } else if (request.is(1, "COUNT")) {
            replies.integer(Command.values().length);
        } else if (request.is(1, "DOCS")) {
            replies.array(0);
        } else {
            replies.error("ERR unknown subcommand");
        }
    }
}
