package dev.sluice.samples.oltp.backend;

import dev.sluice.samples.oltp.bank.Bank;
import dev.sluice.samples.oltp.bank.BankSize;
import dev.sluice.samples.oltp.pool.PoolOptions;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code sluice oltp-back}. */
@Command(name = "oltp-back", mixinStandardHelpOptions = true, sortOptions = false,
        description = "A bank's database server: deposits that are on the disk when they are acknowledged. Speaks "
                + "RESP2, so redis-cli and redis-benchmark are clients.")
public final class BackEndCommand implements Callable<Integer> {

    private static final BankSize DEFAULT_SIZE = new BankSize(10, 10, 10_000);
    private static final int LARGEST = 1_000_000;
    private static final int MAX_ACCOUNTS = 100_000_000;

    @Option(names = "--data", paramLabel = "DIR", required = true,
            description = "Directory of the bank; a new bank is made if there is none.")
    private Path data;

    @Option(names = "--branches", paramLabel = "N",
            description = "Branches of a new bank (default: 10).")
    private Integer branches;

    @Option(names = "--tellers", paramLabel = "N",
            description = "Tellers of each branch of a new bank (default: 10).")
    private Integer tellers;

    @Option(names = "--accounts", paramLabel = "N",
            description = "Accounts of each branch of a new bank (default: 10000).")
    private Integer accounts;

    @Mixin
    private PoolOptions pool;

    /** For picocli. */
    public BackEndCommand() {
    }

    @Override
    public Integer call() throws Exception {
        pool.apply();
        pool.server().requireNamed("--data", data);
        BankSize size = new BankSize(atLeastOne("--branches", branches, DEFAULT_SIZE.branches()),
                atLeastOne("--tellers", tellers, DEFAULT_SIZE.tellersPerBranch()),
                atLeastOne("--accounts", accounts, DEFAULT_SIZE.accountsPerBranch()));
        if (size.accounts() > MAX_ACCOUNTS || size.tellers() > MAX_ACCOUNTS) {
            throw pool.server().bad(size + ": a bank has at most " + MAX_ACCOUNTS + " accounts, and as many tellers");
        }
        try (Bank bank = Bank.open(data, size)) {
            checkSize(bank.size());
            pool.serve("oltp-back", states -> new BackEndService(bank, new BackEndInfo(bank, states)),
                    pool.server().newStopRequest());
        }
        return 0;
    }

    private int atLeastOne(String option, Integer value, int fallback) {
        if (value == null) {
            return fallback;
        }
        pool.server().requireRange(option, value, 1, LARGEST);
        return value;
    }

    private void checkSize(BankSize size) {
        if (differs(branches, size.branches()) || differs(tellers, size.tellersPerBranch())
                || differs(accounts, size.accountsPerBranch())) {
            throw pool.server().bad("the bank in " + data + " has " + size + " already");
        }
    }

    private static boolean differs(Integer asked, int actual) {
        return asked != null && asked != actual;
    }
}
