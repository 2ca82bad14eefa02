package dev.sluice.samples.oltp.backend;

import dev.sluice.samples.oltp.bank.Bank;
import dev.sluice.samples.oltp.bank.BankCounts;
import dev.sluice.samples.oltp.bank.BranchTotals;
import dev.sluice.samples.oltp.command.InfoText;
import dev.sluice.samples.oltp.pool.PoolStates;
import java.io.IOException;
import java.util.List;

/** The reply of a back-end to INFO. */
public final class BackEndInfo {

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
        InfoText text = new InfoText(section);
        if (text.begin("Pool", true)) {
            text.lines(pool.states());
        }
        if (text.begin("Bank", true)) {
            text.line("branches", bank.size().branches());
            text.line("tellers_per_branch", bank.size().tellersPerBranch());
            text.line("accounts_per_branch", bank.size().accountsPerBranch());
            BankCounts counts = bank.counts();
            text.line("deposits", counts.deposits());
            text.line("repeated_requests", counts.repeats());
            text.line("refused_deposits", counts.refusals());
            text.line("commits", counts.commits());
        }
        if (text.begin("Totals", false)) {
            totals(text, bank.totals());
        }
        return text.toString();
    }

    private static void totals(InfoText text, List<BranchTotals> branches) {
        text.line("accounts", branches.stream().mapToLong(BranchTotals::accounts).sum());
        text.line("history", branches.stream().mapToLong(BranchTotals::history).sum());
        text.line("deposits", branches.stream().mapToLong(BranchTotals::deposits).sum());
        text.line("invariant", branches.stream().allMatch(BranchTotals::agree) ? "holds" : "broken");
        for (BranchTotals each : branches) {
            text.line("branch_" + each.branch(), "balance=" + each.balance() + ",tellers=" + each.tellers()
                    + ",accounts=" + each.accounts() + ",history=" + each.history() + ",deposits=" + each.deposits());
        }
    }
}
