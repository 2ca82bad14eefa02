package dev.sluice.stages;

import java.util.List;

/**
 * The result of stopping a graph.
 *
 * @param stages    the accounts of the stages, in the order in which they were stopped
 * @param discarded how many events were discarded because the time was over, or because their event loop had ended
 */
public record StopReport(List<StageAccount> stages, long discarded) {

    /** {@return how many events were still being handled, by handlers that had not returned} */
    public long unfinished() {
        return stages.stream().mapToLong(StageAccount::unfinished).sum();
    }

    /** {@return whether everything that was accepted has been drained, and nothing is expected any more} */
    public boolean isDrained() {
        return discarded == 0 && unfinished() == 0 && stages.stream().allMatch(stage -> stage.expected() == 0);
    }
}
