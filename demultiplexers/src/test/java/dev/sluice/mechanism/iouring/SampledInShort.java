package dev.sluice.mechanism.iouring;

import dev.sluice.campaign.Campaign;
import java.util.Set;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Leaves of a contract a sample of its topics to the short form: those that depend most on what the kernel knows. */
final class SampledInShort implements ExecutionCondition {

    private static final Set<String> SAMPLE = Set.of("Accepting", "Receiving", "Sending", "ProvidedBuffers",
            "ScarceProvidedBuffers", "Datagrams", "Transmitting", "Cancelling", "Readiness", "Registrations");

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        Class<?> topic = context.getRequiredTestClass();
        boolean sampled = Campaign.isLong() || !topic.isMemberClass() || SAMPLE.contains(topic.getSimpleName());
        return sampled ? ConditionEvaluationResult.enabled("sampled")
                : ConditionEvaluationResult.disabled("in the long form of the campaign only");
    }
}
