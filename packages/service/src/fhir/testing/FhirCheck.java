import ca.uhn.fhir.context.FhirContext;
import ca.uhn.fhir.context.support.DefaultProfileValidationSupport;
import ca.uhn.fhir.validation.FhirValidator;
import ca.uhn.fhir.validation.ResultSeverityEnum;
import ca.uhn.fhir.validation.SingleValidationMessage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeSet;
import org.hl7.fhir.common.hapi.validation.support.CommonCodeSystemsTerminologyService;
import org.hl7.fhir.common.hapi.validation.support.InMemoryTerminologyServerValidationSupport;
import org.hl7.fhir.common.hapi.validation.support.UnknownCodeSystemWarningValidationSupport;
import org.hl7.fhir.common.hapi.validation.support.ValidationSupportChain;
import org.hl7.fhir.common.hapi.validation.validator.FhirInstanceValidator;
import org.hl7.fhir.r5.utils.validation.constants.BestPracticeWarningLevel;

/** Validates files as resources of FHIR R4. Prints a line for each file: its name, a colon, and the errors in it. */
class FhirCheck {
  public static void main(String[] files) throws Exception {
    FhirContext context = FhirContext.forR4();
    UnknownCodeSystemWarningValidationSupport unknown = new UnknownCodeSystemWarningValidationSupport(context);
    unknown.setNonExistentCodeSystemSeverity(
        ca.uhn.fhir.context.support.IValidationSupport.IssueSeverity.INFORMATION);
    ValidationSupportChain support = new ValidationSupportChain(
        new DefaultProfileValidationSupport(context), new InMemoryTerminologyServerValidationSupport(context),
        new CommonCodeSystemsTerminologyService(context), unknown);
    FhirInstanceValidator rules = new FhirInstanceValidator(support);
    rules.setBestPracticeWarningLevel(BestPracticeWarningLevel.Ignore);
    FhirValidator validator = context.newValidator().registerValidatorModule(rules);
    for (String file : files) {
      TreeSet<String> broken = new TreeSet<>();
      for (SingleValidationMessage message : validator.validateWithResult(Files.readString(Path.of(file))).getMessages())
        if (message.getSeverity().ordinal() >= ResultSeverityEnum.ERROR.ordinal())
          broken.add(message.getLocationString() + " " + message.getMessage().replace('\n', ' '));
      System.out.println(file + ": " + String.join(" | ", broken));
    }
  }
}
