package dev.sluice.stages;

import java.util.List;

/**
 * The result of stopping a graph.
 *
 * @param stages    the accounts of the stages, in the order in which they were stopped
 * @param discarded the number of events discarded because the deadline had passed, or because their event loop had
 *                  ended
 */
public record StopReport(List<StageAccount> stages, long discarded) {

    /** {@return the number of events that were still being handled, by handlers that had not returned} */
    public long pending() {
        return stages.stream().mapToLong(StageAccount::pending).sum();
    }

    /** {@return whether all accepted events have been drained, and no more are expected} */
    public boolean isDrained() {
        return discarded == 0 && pending() == 0 && stages.stream().allMatch(stage -> stage.expected() == 0);
    }
}
