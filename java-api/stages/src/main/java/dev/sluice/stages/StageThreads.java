package dev.sluice.stages;

/**
 * The paper's thread manager (3.5): decides which threads run stages. {@link StageOptions#ownThreads} gives a stage
 * threads of its own, as the paper does; {@link StagePool} is a pool that stages share, and {@link ProcessorThreads}
 * has a thread for each processor. May be used for several stages, also of several graphs.
 */
@FunctionalInterface
public interface StageThreads {

    /**
     * Makes what runs a stage. Called once for each stage, when it is added to a graph.
     *
     * @param stage the stage, which has not been started
     * @return a new execution, for this stage only
     */
    Execution execution(Stage<?> stage);
}
