package dev.sluice.samples.oltp.backend;

import dev.sluice.samples.oltp.bank.Bank;
import dev.sluice.samples.oltp.bank.BankCounts;
import dev.sluice.samples.oltp.bank.BranchTotals;
import dev.sluice.samples.oltp.pool.PoolStates;
import java.io.IOException;
import java.util.List;

/** The text of INFO, in Redis's form: sections of lines. */
public final class BackEndInfo {

    private static final String LINE_END = "\r\n";

    private final Bank bank;
    private final PoolStates pool;

    /**
     * Of a server.
     *
     * @param bank its bank
     * @param pool its threads
     */
    public BackEndInfo(Bank bank, PoolStates pool) {
        this.bank = bank;
        this.pool = pool;
    }

    /** {@return a section, or all but the costly one for an empty name; empty if there is none of the name} */
    String text(String section) throws IOException {
        StringBuilder text = new StringBuilder();
        boolean all = section.isEmpty() || section.equals("default") || section.equals("all");
        if (all || section.equals("pool")) {
            begin(text, "Pool");
            pool.states().forEach((key, value) -> line(text, key, value));
        }
        if (all || section.equals("bank")) {
            begin(text, "Bank");
            line(text, "branches", bank.size().branches());
            line(text, "tellers_per_branch", bank.size().tellersPerBranch());
            line(text, "accounts_per_branch", bank.size().accountsPerBranch());
            BankCounts counts = bank.counts();
            line(text, "deposits", counts.deposits());
            line(text, "repeated_requests", counts.repeats());
            line(text, "refused_deposits", counts.refusals());
            line(text, "commits", counts.commits());
        }
        if (section.equals("totals")) {
            totals(text, bank.totals());
        }
        return text.toString();
    }

    private static void totals(StringBuilder text, List<BranchTotals> branches) {
        begin(text, "Totals");
        line(text, "accounts", branches.stream().mapToLong(BranchTotals::accounts).sum());
        line(text, "history", branches.stream().mapToLong(BranchTotals::history).sum());
        line(text, "deposits", branches.stream().mapToLong(BranchTotals::deposits).sum());
        line(text, "invariant", branches.stream().allMatch(BranchTotals::agree) ? "holds" : "broken");
        for (BranchTotals each : branches) {
            line(text, "branch_" + each.branch(), "balance=" + each.balance() + ",tellers=" + each.tellers()
                    + ",accounts=" + each.accounts() + ",history=" + each.history() + ",deposits=" + each.deposits());
        }
    }

    private static void begin(StringBuilder text, String section) {
        if (!text.isEmpty()) {
            text.append(LINE_END);
        }
        text.append("# ").append(section).append(LINE_END);
    }

    private static void line(StringBuilder text, String name, Object value) {
        text.append(name).append(':').append(value).append(LINE_END);
    }
}
