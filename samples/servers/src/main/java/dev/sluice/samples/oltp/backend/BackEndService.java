package dev.sluice.samples.oltp.backend;

import dev.sluice.samples.oltp.bank.Bank;
import dev.sluice.samples.oltp.command.CommandService;
import dev.sluice.samples.oltp.resp.ReplyBuffer;
import dev.sluice.samples.oltp.resp.Request;
import java.io.IOException;

/** The service of one connection to the bank. */
public final class BackEndService extends CommandService {

    private static final int MAX_DEPOSITS = 256;

    private final Bank bank;
    private final BackEndInfo info;
    private final DepositBatch deposits = new DepositBatch();

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
    protected boolean takesForwarded() {
        return true;
    }

    @Override
    protected void deposit(Request request, long tag, ReplyBuffer replies) {
        deposits.next(tag).set(request.number(1), request.number(2), request.number(3), request.number(4),
                request.count() > 5 ? request.text(5) : null);
        if (deposits.size() == MAX_DEPOSITS) {
            settle(replies);
        }
    }

    @Override
    protected void settle(ReplyBuffer replies) {
        if (deposits.size() > 0) {
            deposits.make(bank, replies);
        }
    }

    @Override
    protected void balance(long account, ReplyBuffer replies) throws IOException {
        if (bank.hasAccount(account)) {
            replies.integer(bank.balance(account));
        } else {
            replies.error("ERR no such account: " + account);
        }
    }

    @Override
    protected String info(String section) throws IOException {
        return info.text(section);
    }
}
