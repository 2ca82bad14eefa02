package dev.sluice.samples.oltp.bank;

/**
 * The sums over one branch, taken at one moment.
 *
 * @param branch   number of the branch
 * @param balance  its own balance
 * @param tellers  sum of its tellers' balances
 * @param accounts sum of its accounts' balances
 * @param history  sum of the amounts in its history
 * @param deposits number of the deposits in its history
 */
public record BranchTotals(long branch, long balance, long tellers, long accounts, long history, long deposits) {

    /** {@return whether the bank's invariant holds: all sums are the same} */
    public boolean agree() {
        return balance == history && tellers == history && accounts == history;
    }
}
