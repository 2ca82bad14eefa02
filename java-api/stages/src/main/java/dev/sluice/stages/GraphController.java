package dev.sluice.stages;

import java.util.List;
import java.util.Map;

/**
 * A controller that sees all stages (section 3.4 of the paper), as each stage's {@link StageController} sees one: it
 * may keep the number of all threads below a limit, or reject events where they enter and not where work has already
 * been done on them. Called by the graph's one thread for controllers, every 100 ms, after the controllers of the
 * stages.
 */
@FunctionalInterface
public interface GraphController {

    /**
     * Decides.
     *
     * @param sample what the graph has done since the last call
     * @return what is to be changed, by the names of stages; others stay as they are, and names of none are ignored.
     *         A {@link Decision.Rate} cannot be applied, as it belongs to the bucket of a stage's controller.
     */
    Map<String, List<Decision>> decide(GraphSample sample);
}
